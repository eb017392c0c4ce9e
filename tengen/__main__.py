"""`python -m tengen`: the command line."""

from tengen.interfaces.cli import main

if __name__ == "__main__":
    main()
