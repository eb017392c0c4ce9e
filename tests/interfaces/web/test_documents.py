"""The documents over HTTP: the catalogue, stored games and reports."""

import json

import pytest

import tengen
from tengen import Othello
from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.interfaces.web.messages import PlayerChoice
from tengen.interfaces.web.report_files import report_folder
from tengen.interfaces.web.stored_games import StoredGames
from tengen.players import PRESETS, parse_player
from tests.interfaces.web.pages import page, server
from tests.interfaces.web.test_security import PATH_TRICKS

# The catalogue


def test_the_catalogue_has_every_game_with_its_options(client):
    games = {game["name"]: game for game in client.get("/api/catalogue").json()["games"]}
    assert {"go", "othello", "havannah"} <= games.keys()
    assert games["othello"]["sizes"] == [4, 6, 8]
    assert games["havannah"]["size_texts"][0] == "base 3"
    ko = next(option for option in games["go"]["options"] if option["name"] == "ko")
    assert (ko["default"], ko["choices"]) == ("positional", ["simple", "positional", "situational"])
    assert games["go"]["handicaps"][games["go"]["sizes"].index(9)] == 9


def test_each_preset_of_the_catalogue_can_be_chosen_with_its_own_settings(client):
    found = client.get("/api/catalogue").json()
    families = {family["name"]: family for family in found["families"]}
    names = {preset["name"] for preset in found["presets"]}
    assert names == PRESETS.keys() - {"gtp", "gnugo"}
    for preset in found["presets"]:
        spec = parse_player(preset["name"]).with_settings(**preset["settings"])
        assert str(spec) == str(parse_player(preset["name"]).with_settings(**preset["settings"]))
        known = {option["name"] for option in families[preset["family"]]["options"]}
        for part in (part for kind in found["parts"].values() for part in kind):
            known |= {option["name"] for option in part["options"]}
        assert preset["settings"].keys() <= known


def test_no_option_of_the_catalogue_can_name_a_file(client):
    text = client.get("/api/catalogue").text
    assert '"name":"weights"' not in text
    assert '"name":"urgencies"' not in text
    assert '"name":"command"' not in text


def test_conditions_of_options_are_told(client):
    families = {family["name"]: family for family in client.get("/api/catalogue").json()["families"]}
    options = {option["name"]: option for option in families["search"]["options"]}
    assert options["expand_visits"]["needs"] == [{"option": "expand", "values": ["threshold"]}]
    assert options["tree_policy"]["part"] == "tree policy"
    assert PlayerChoice(player="uct", options={"expand": "threshold", "expand_visits": 3})


# Stored games


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with a store of four games, the same as JSON lines, and files that are none."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "inner").mkdir()
    tengen.match("uct:simulations=5", "random", Othello(4), games=4, store=folder / "games.sqlite")
    with Store.to_read(folder / "games.sqlite") as store:
        (folder / "inner" / "games.jsonl").write_text("".join(f"{line}\n" for line in store.lines()))
    (folder / "notes.txt").write_text("secret")
    (folder / "broken.sqlite").write_text("no store")
    outside = tmp_path_factory.mktemp("outside") / "other.sqlite"
    outside.write_bytes((folder / "games.sqlite").read_bytes())
    (folder / "link.sqlite").symlink_to(outside)
    return folder


@pytest.fixture
def arena(tmp_path, results):
    with server(tmp_path, arena=results) as client:
        yield client


def test_stores_are_listed_and_others_are_not(arena):
    assert arena.get("/api/arena").json() == {"stores": ["broken.sqlite", "games.sqlite", "inner/games.jsonl"]}
    assert arena.get("/api/catalogue").json()["arena"]


@pytest.mark.parametrize("store", ["games.sqlite", "inner/games.jsonl"])
def test_standings_are_those_of_the_store(arena, store):
    found = arena.get("/api/arena/standings", params={"store": store}).json()
    players = {row["player"]: row for row in found["standings"]}
    assert players.keys() == {"uct:simulations=5", "random"}
    assert all(row["games"] == 4 for row in players.values())
    assert sum(row["wins"] + row["draws"] / 2 for row in players.values()) == 4
    [pairing] = found["pairings"]
    assert (pairing["first"], pairing["games"]) == ("uct:simulations=5", 4)


def test_games_are_listed_in_parts(arena):
    found = arena.get("/api/arena/games?store=games.sqlite&offset=1&most=2").json()
    assert (found["total"], [row["number"] for row in found["games"]]) == (4, [1, 2])
    assert arena.get("/api/arena/games?store=games.sqlite&pairing=nobody").json()["total"] == 0
    for bad in ("offset=-1", "most=x", "offset=99999999999"):
        assert arena.get(f"/api/arena/games?store=games.sqlite&{bad}").status_code == 400


def test_a_replay_has_every_position_of_the_game(arena, results):
    row = arena.get("/api/arena/games?store=games.sqlite").json()["games"][0]
    found = arena.get("/api/arena/game", params={"store": "games.sqlite", "id": row["id"]}).json()
    assert len(found["positions"]) == len(found["moves"]) + 1 == row["moves"] + 1
    position = Othello(4).start()
    for move, after in zip(found["moves"], found["positions"][1:], strict=True):
        position.play(move["move"], move["colour"])
        assert after["stones"] == "".join(".bw"[value] for value in position.board.flat)
    assert position.is_over


def test_a_stored_game_can_be_opened_as_a_board(arena):
    row = arena.get("/api/arena/games?store=games.sqlite").json()["games"][0]
    with page(arena) as connected:
        position = connected.new_board(stored={"store": "games.sqlite", "id": row["id"]})
        assert (position["is_over"], len(position["moves"])) == (True, row["moves"])
        assert connected.ask("goto", move=1)["turn"] == "person"


@pytest.mark.parametrize(
    "name",
    [
        "../games.sqlite",
        "/etc/passwd",
        "notes.txt",
        "link.sqlite",
        "inner/../games.sqlite",
        "",
        "games.sqlite\x00",
        ".",
    ],
)
def test_only_listed_stores_are_opened(arena, name):
    for path in ("standings", "games", "game"):
        answer = arena.get(f"/api/arena/{path}", params={"store": name, "id": "x #0"})
        assert answer.status_code in (400, 404)
        assert "secret" not in answer.text
        assert answer.json()["error"].count("\n") == 0


def test_a_damaged_store_and_an_unknown_game_are_sentences(arena):
    answer = arena.get("/api/arena/standings?store=broken.sqlite")
    assert (answer.status_code, len(answer.json()["error"]) > 10) == (400, True)
    for game in ("nobody #0", "x", ""):
        answer = arena.get("/api/arena/game", params={"store": "games.sqlite", "id": game})
        assert answer.status_code in (400, 404)


def test_the_store_is_only_read(arena, results):
    before = (results / "games.sqlite").read_bytes()
    arena.get("/api/arena/standings?store=games.sqlite")
    assert (results / "games.sqlite").read_bytes() == before


def test_without_a_folder_there_are_no_stored_games(client, tmp_path):
    assert client.get("/api/arena").status_code == 404
    assert client.get("/api/arena/standings?store=games.sqlite").status_code == 404
    with pytest.raises(TengenError, match="there is no folder"):
        StoredGames(tmp_path / "missing")


# Reports


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "reproduced" / "site"
    (folder / "table").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "index.html").write_text("<title>Reproduced &amp; more</title><style>p {}</style>")
    (folder / "table" / "index.html").write_text("<title>Table 1</title>")
    (folder / "table" / "full.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "secret.txt").write_text("secret")
    (folder / ".hidden").write_text("secret")
    (folder / "link.html").symlink_to(tmp_path / "secret.txt")
    return tmp_path / "reproduced"


def test_reports_are_listed_and_served_with_their_pictures(tmp_path, site):
    with server(tmp_path, reports=site) as client:
        assert client.get("/api/reports").json()["reports"] == [
            {"path": "index.html", "title": "Reproduced & more"},
            {"path": "table/index.html", "title": "Table 1"},
        ]
        answer = client.get("/reports/index.html")
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert client.get("/reports/table/full.svg").headers["content-type"].startswith("image/svg")
        assert client.get("/reports/table/").status_code == 200


def test_nothing_else_is_served_as_a_report(tmp_path, site):
    with server(tmp_path, reports=site) as client:
        for path in (*PATH_TRICKS, "/secret.txt", "/table/../secret.txt", "/table/../../../secret.txt"):
            answer = client.get(f"/reports{path}")
            assert "secret" not in answer.text
            assert "root:" not in answer.text
        assert client.get("/reports/index.html").status_code == 200


def test_a_folder_without_pages_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(TengenError, match="there are no pages"):
        report_folder(tmp_path / "empty")
    with pytest.raises(TengenError, match="there is no folder"):
        report_folder(tmp_path / "missing")


def test_an_unknown_document_is_a_sentence(client):
    answer = client.get("/api/nothing")
    assert (answer.status_code, list(json.loads(answer.text))) == (404, ["error"])
