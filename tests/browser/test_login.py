"""Two users log in at a provider of OpenID Connect; what one uploads the other neither sees nor reaches by its link."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, free_port, serving
from tests.browser.steps import open_page, settled, upload

pytestmark = pytest.mark.browser
SETTINGS = """
[auth]
redirect_uri = "http://localhost:{port}/oauth2callback"
cookie_secret = "a secret of the tests, long enough"
client_id = "timemil"
client_secret = "whatever"
server_metadata_url = "http://localhost:{provider}/.well-known/openid-configuration"
"""
NAME = "ada's own"
ROWS = "case_id,x,class\n" + "".join(
    f"{case},{case % 5 + time % 3},{'ab'[case % 2]}\n" for case in range(8) for time in range(12)
)


@pytest.fixture(scope="module")
def app_with_login(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, which asks who its users are at a provider on this machine."""
    workspace, port = tmp_path_factory.mktemp("workspace"), free_port()
    users = [User(sub="ada", claims={"name": "Ada"}), User(sub="bob", claims={"name": "Bob"})]
    with run_server_in_thread(user_claims=users) as provider:
        secrets = workspace / "secrets.toml"
        secrets.write_text(SETTINGS.format(port=port, provider=provider.server_port))
        with serving(workspace, port, "--secrets.files", str(secrets)) as url:
            yield url


def log_in(browser: Browser, url: str, subject: str) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(url)
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)  # no page is offered to whoever has not logged in
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=subject).first.click()  # at the provider
    page.wait_for_url(f"{url}/**")
    expect(page.get_by_test_id("stSidebar").get_by_text(subject.title())).to_be_visible()
    settled(page)
    return page


def test_what_one_uploads_the_other_never_sees(app_with_login: str, browser: Browser) -> None:
    ada = log_in(browser, app_with_login, "ada")
    open_page(ada, f"{app_with_login}/data?view=Upload+your+own", "Data")
    upload(ada, f"{NAME}.csv", ROWS.encode())
    ada.get_by_role("button", name="Accept this data set").click()
    expect(ada).to_have_url(re.compile("data=upload-"))
    settled(ada)
    link = ada.url

    bob = log_in(browser, app_with_login, "bob")
    bob.goto(link)
    expect(bob.get_by_test_id("stSidebar").get_by_text("Bob")).to_be_visible()
    expect(bob.get_by_text("which this machine does not have")).to_be_visible()
    settled(bob)
    expect(bob.get_by_text(NAME)).to_have_count(0)

    ada.goto(link)  # a new visit, by the cookie
    expect(ada.get_by_text(NAME).first).to_be_visible()
    ada.get_by_role("button", name="Log out").click()
    ada.get_by_role("button", name="End session").click()  # at the provider
    expect(ada.get_by_role("button", name="Log in")).to_be_visible()
    ada.goto(link)
    expect(ada.get_by_role("button", name="Log in")).to_be_visible()
    expect(ada.get_by_text(NAME)).to_have_count(0)
    open_page(bob, app_with_login, "What tells the classes apart")
