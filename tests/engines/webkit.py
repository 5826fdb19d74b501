# A window of WebKit as Debian has it, without a frame and as large as asked, for a WebDriver: its own program keeps nothing
# from one start to the next, and is no narrower than 447 pixels. Its one argument, as JSON: folder (what it keeps), downloads,
# width, height, off (names of features), before (JavaScript that each page runs before its own).
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

asked = json.loads(sys.argv[1])

store = WebKit2.WebsiteDataManager(
    base_data_directory=asked["folder"], base_cache_directory=asked["folder"] + "/cache"
)
store.get_cookie_manager().set_persistent_storage(
    asked["folder"] + "/cookies", WebKit2.CookiePersistentStorage.SQLITE
)
context = WebKit2.WebContext(website_data_manager=store)
context.set_preferred_languages(["fr-FR"])
context.set_automation_allowed(True)

settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
features = WebKit2.Settings.get_all_features()
for feature in map(features.get, range(features.get_length())):
    if feature.get_identifier() in asked["off"]:
        settings.set_feature_enabled(feature, False)
    # In Safari since 15.2 and 17, and not yet on in Debian's.
    if feature.get_identifier() in ("StorageAPI", "StorageAPIEstimate"):
        settings.set_feature_enabled(feature, feature.get_identifier() not in asked["off"])

scripts = WebKit2.UserContentManager()
scripts.add_script(
    WebKit2.UserScript(
        asked["before"],
        WebKit2.UserContentInjectedFrames.ALL_FRAMES,
        WebKit2.UserScriptInjectionTime.START,
    )
)


def open_window(*_):
    view = WebKit2.WebView(
        web_context=context, settings=settings, user_content_manager=scripts, is_controlled_by_automation=True
    )
    view.connect("web-process-terminated", lambda *why: print("CONSOLE JS ERROR crashed", why, flush=True))
    window = Gtk.Window(decorated=False, default_width=asked["width"], default_height=asked["height"])
    window.add(view)
    window.move(0, 0)
    window.show_all()
    view.connect("close", lambda _: window.destroy())
    return view


def save(_, download):
    download.connect(
        "decide-destination",
        lambda one, name: one.set_destination("file://" + asked["downloads"] + "/" + name) or True,
    )


def start(_, session):
    session.set_application_info(WebKit2.ApplicationInfo())
    session.connect("create-web-view", open_window)


context.connect("download-started", save)
context.connect("automation-started", start)
Gtk.main()
