"""Who is at work: nobody is asked, or each user logs in at an OpenID Connect provider and has a workspace of their own.

Streamlit speaks with the provider (``[auth]`` in its ``secrets.toml``) and tells who came back. A user is known by the
provider and the number that they have there, never by a name or an address that may change hands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit import config
from streamlit.errors import StreamlitAPIException

from app.common.parts import guarded, plain
from timemil_core import workspace
from timemil_core.atomic import write_json
from timemil_core.errors import AccessError, StorageError

NOTE = "owner.json"  # for whoever looks after the server: whose folder this is


def require() -> None:
    """Go on where nobody is asked, or for whoever has logged in; else offer to, and end the page's run.

    From then on all that this session lists, opens and makes is the user's own.
    """
    workspace.ask_owner(owner)
    with guarded("The login"):
        if not _is_on():
            return
        if st.user.get("is_logged_in"):
            _note(workspace.home())
            _show_user()
            return
        _offer()
    st.stop()


def owner() -> str | None:
    """Return the name of the user's folder, for ``workspace.ask_owner``; None where nobody is asked who they are.

    Raises
    ------
    AccessError
        Where nobody has logged in, the provider did not tell who came, or the settings of the login cannot be read.
    """
    if not _is_on():
        return None
    if not st.user.get("is_logged_in"):
        raise AccessError("You are not logged in.", remedy="Log in to see your data sets and runs.")
    known = (st.user.get("iss"), st.user.get("sub"))
    if not all(isinstance(part, str) and part for part in known):
        raise AccessError(
            "The login did not tell who you are (its token has no issuer or no subject).",
            remedy="Whoever looks after this server must choose another provider.",
        )
    return hashlib.sha256("\n".join(map(str, known)).encode()).hexdigest()[:32]


def _is_on() -> bool:
    if st.secrets.load_if_toml_exists():
        return "auth" in st.secrets
    # Streamlit takes a file that it cannot read for none: everybody would see everything
    damaged = [path for path in map(Path, config.get_option("secrets.files")) if path.exists()]
    if damaged:
        raise AccessError(
            "The settings of the login cannot be read, so nobody is let in.",
            where=damaged[0].name,
            remedy="Whoever looks after this server must mend this file.",
        )
    return False


def _note(folder: Path) -> None:
    """Write beside a user's sets and runs whose they are."""
    if not (folder / NOTE).exists():
        with suppress(StorageError):  # a full disk keeps nobody from looking
            write_json(folder / NOTE, {"issuer": st.user["iss"], "subject": st.user["sub"]})


def _show_user() -> None:
    told = next((str(st.user[key]) for key in ("name", "email", "sub") if st.user.get(key)), "")
    with st.sidebar.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/person: {plain(told[:60])}", width="stretch")
        st.button("Log out", on_click=st.logout, type="tertiary")


def _offer() -> None:
    st.title("See what a time series classifier has learned")
    st.markdown("Log in to see your data sets and training runs. Nobody else does.")
    settings = st.secrets["auth"]
    providers = [name for name, one in settings.items() if isinstance(one, Mapping) and "client_id" in one]
    for name in providers or [None]:
        label = "Log in" if name is None else f"Log in with {plain(name)}"
        if st.button(label, icon=":material/login:", type="primary", key=f"login_{name}"):
            with guarded("The login"):
                _begin(name)


def _begin(provider: str | None) -> None:
    try:
        st.login(provider)
    except StreamlitAPIException as error:
        raise AccessError(
            f"The login is not set up: {error}", remedy="Whoever looks after this server finds how in the guide."
        ) from error
