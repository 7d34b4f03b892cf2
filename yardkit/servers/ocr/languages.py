"""Language codes: ISO 639-1 (BCP 47 for the Chinese scripts) with the names of Tesseract's packs."""

from yardkit.world import Problem

# code -> (English name, Tesseract pack)
LANGUAGES = {
    "af": ("Afrikaans", "afr"),
    "ar": ("Arabic", "ara"),
    "az": ("Azerbaijani", "aze"),
    "be": ("Belarusian", "bel"),
    "bg": ("Bulgarian", "bul"),
    "bn": ("Bengali", "ben"),
    "bs": ("Bosnian", "bos"),
    "ca": ("Catalan", "cat"),
    "cs": ("Czech", "ces"),
    "cy": ("Welsh", "cym"),
    "da": ("Danish", "dan"),
    "de": ("German", "deu"),
    "el": ("Greek", "ell"),
    "en": ("English", "eng"),
    "es": ("Spanish", "spa"),
    "et": ("Estonian", "est"),
    "eu": ("Basque", "eus"),
    "fa": ("Persian", "fas"),
    "fi": ("Finnish", "fin"),
    "fr": ("French", "fra"),
    "ga": ("Irish", "gle"),
    "gl": ("Galician", "glg"),
    "he": ("Hebrew", "heb"),
    "hi": ("Hindi", "hin"),
    "hr": ("Croatian", "hrv"),
    "hu": ("Hungarian", "hun"),
    "hy": ("Armenian", "hye"),
    "id": ("Indonesian", "ind"),
    "is": ("Icelandic", "isl"),
    "it": ("Italian", "ita"),
    "ja": ("Japanese", "jpn"),
    "ka": ("Georgian", "kat"),
    "kk": ("Kazakh", "kaz"),
    "ko": ("Korean", "kor"),
    "la": ("Latin", "lat"),
    "lb": ("Luxembourgish", "ltz"),
    "lt": ("Lithuanian", "lit"),
    "lv": ("Latvian", "lav"),
    "mk": ("Macedonian", "mkd"),
    "ms": ("Malay", "msa"),
    "mt": ("Maltese", "mlt"),
    "nl": ("Dutch", "nld"),
    "no": ("Norwegian", "nor"),
    "oc": ("Occitan", "oci"),
    "pl": ("Polish", "pol"),
    "pt": ("Portuguese", "por"),
    "ro": ("Romanian", "ron"),
    "ru": ("Russian", "rus"),
    "sk": ("Slovak", "slk"),
    "sl": ("Slovenian", "slv"),
    "sq": ("Albanian", "sqi"),
    "sr": ("Serbian (Cyrillic)", "srp"),
    "sr-Latn": ("Serbian (Latin)", "srp_latn"),
    "sv": ("Swedish", "swe"),
    "sw": ("Swahili", "swa"),
    "ta": ("Tamil", "tam"),
    "th": ("Thai", "tha"),
    "tl": ("Tagalog", "fil"),
    "tr": ("Turkish", "tur"),
    "uk": ("Ukrainian", "ukr"),
    "ur": ("Urdu", "urd"),
    "uz": ("Uzbek", "uzb"),
    "vi": ("Vietnamese", "vie"),
    "zh-Hans": ("Chinese (simplified)", "chi_sim"),
    "zh-Hant": ("Chinese (traditional)", "chi_tra"),
}
# The scripts that Tesseract names, with the languages that are written in them, the most spoken first.
SCRIPTS = {
    "Arabic": ("ar", "fa", "ur"),
    "Armenian": ("hy",),
    "Bengali": ("bn",),
    "Cyrillic": ("ru", "uk", "bg", "sr", "be", "mk", "kk"),
    "Devanagari": ("hi",),
    "Georgian": ("ka",),
    "Greek": ("el",),
    "Han": ("zh-Hans", "zh-Hant"),
    "Hebrew": ("he",),
    "Japanese": ("ja",),
    "Korean": ("ko",),
    "Tamil": ("ta",),
    "Thai": ("th",),
}
_ALIASES = {"zh": "zh-Hans", "zh-cn": "zh-Hans", "zh-tw": "zh-Hant", "chi": "zh-Hans", "nb": "no", "nn": "no"}


def language_code(text: str) -> str:
    """The code of a language given by its code, its English name or the name of its Tesseract pack.

    Raises:
        Problem: no such language.
    """
    normalized_code = text.strip().lower().replace("_", "-")
    normalized_code = _ALIASES.get(normalized_code, normalized_code).lower()
    for code, (name, pack) in LANGUAGES.items():
        if normalized_code in (code.lower(), name.lower(), pack.replace("_", "-")):
            return code
    raise Problem(f"{text!r} is not a known language; use a code such as 'en', 'de', 'zh-Hans' (list_ocr_languages)")


def language_name(code: str) -> str:
    return LANGUAGES[code][0]


def tesseract_pack(code: str) -> str:
    return LANGUAGES[code][1]
