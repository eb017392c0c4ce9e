# The engine and the web page, with their kernels compiled.
#
#   docker build -t tengen .
#   docker run --rm -i tengen gtp
#   docker run --rm -p 8361:8361 tengen web --host 0.0.0.0 --no-browser    (prints the address with its token)
#
# Kernels are compiled for the processor of the machine that builds the image; on another kind they are compiled anew.

FROM node:22-slim AS page
WORKDIR /source/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install --no-save --no-audit --no-fund --loglevel=error
COPY web ./
RUN npm run --silent build

FROM python:3.13-slim AS wheel
WORKDIR /source
RUN pip install --no-cache-dir "hatchling>=1.27"
COPY LICENSE README.md pyproject.toml ./
COPY tengen tengen
COPY --from=page /source/tengen/interfaces/web/page tengen/interfaces/web/page
RUN python -m hatchling build -t wheel -d /wheels

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 tengen
COPY constraints.txt /tmp/constraints.txt
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir -c /tmp/constraints.txt "$(ls /wheels/*.whl)[web]" && rm /tmp/constraints.txt
USER tengen
WORKDIR /home/tengen
ENV TENGEN_CACHE=/home/tengen/.cache/tengen
RUN tengen warmup
EXPOSE 8361
ENTRYPOINT ["tengen"]
CMD ["gtp"]
