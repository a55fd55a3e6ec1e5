//! The server's settings for who administers it: what `weevil serve --print-config` prints, as it was at the start.

use actix_web::web;
use weevil_api::{SettingView, SettingsView};

use super::AppState;
use crate::setting::{Setting, Told};

pub(super) async fn show(app: web::Data<AppState>) -> web::Json<SettingsView> {
    web::Json(SettingsView { settings: app.past.settings.iter().map(view).collect() })
}

fn view(Setting { key, value }: &Setting) -> SettingView {
    let (value, origin) = match value {
        Told::NotSet => (None, None),
        Told::Secret { origin } => (None, Some(origin.clone())),
        Told::Bare { value, origin } | Told::Text { value, origin } => {
            (Some(value.clone()), Some(origin.clone()))
        }
    };
    SettingView { key: key.clone(), value, origin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_told_in_both_forms() {
        let origin = || "flag".to_owned();
        for (value, line, shown) in [
            (Told::NotSet, "# x is not set\n", (None, None)),
            (
                Told::Secret { origin: origin() },
                "# x is set and not shown: it may hold a secret # flag\n",
                (None, Some("flag")),
            ),
            (Told::Bare { value: "5".into(), origin: origin() }, "x = 5 # flag\n", (Some("5"), Some("flag"))),
            (
                Told::Text { value: "a \"b\"\n".into(), origin: origin() },
                "x = \"a \\\"b\\\"\\n\" # flag\n",
                (Some("a \"b\"\n"), Some("flag")),
            ),
        ] {
            let setting = Setting { key: "x".into(), value };
            assert_eq!(setting.to_string(), line);
            let view = view(&setting);
            assert_eq!((view.value.as_deref(), view.origin.as_deref()), shown, "{line}");
        }
    }
}
