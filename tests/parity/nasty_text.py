"""Names that may occur in real dumps and that table writers handle wrongly.

Never generated, because the two differ on purpose for these (etinspect rejects them or treats them as plain text):
escape sequences (ESC [ or ESC ]), a name that is only U+0001, and names of digits from other scripts than ASCII.
"""

ORDINARY = ["native_call_addmm.out", "aten::add.out", "Method::execute", "Program::load_method", "Method::init",
            "DELEGATE_CALL", "OPERATOR_CALL", "relu.out", "conv", "a", "b", "c"]

NUMERIC = ["3", "12", "13", "1.50", "1_000", "1,000", "1,234.5", "nan", "inf", "-inf", "infinity", "NaN", "+nan", "1e5",
           "  7 ", "+3", "-4", "00012", "5.", ".5", "1e999", "-1e-999", "1e-7", "0x10", "1_0.5", "1__0", "_1", "1,00",
           "1,000,000", "-1,000.25", "+1,000", ",000", "1,000.", "1e+09", "1.5E3", "0", "-0", "-0.0", "123456789012345678901",
           "0.30000000000000004", "1 000", "3\n", "1,000\n", "\t3", "3 4", "12345678", "1e22", "9007199254740993", "1j"]

TRUTH = ["True", "False", "true", "TRUE", " True", "True\n", "None", ""]

WHITE = ["\t", "\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029", "\u00a0",
         "\u2003", "\u200b", "\u3000", "\ufeff", " ", "  "]

MARKS = ['"', "'", '""', "''", "\\", "\\n", "\\t", "|", "│", "'\"", "`", "\x00", "\x01", "\x02", "\x7f", "\x80", "\x9f",
         "\u00ad", "\u0301", "e\u0301", "漢字", "かな", "한글", "😀", "👩‍👩‍👧", "🇩🇪", "\u202e", "\u200f", "\u061c", "שלום",
         "é", "ß", "İ", "\u0378", "\ue000", "\U000e0001", "\U0010ffff", "\ufffd", "\ufffe", "ﬁ", "ａ", "%g", "%s", "{}",
         "<b>", "&amp;", "#", ";", ",", "=", "@", "--", "---"]

WHOLE = ["", " ", "\x00", "a\x00", "a\x00\x00", "\x00a", "a\x00b", "3\x00", "\n", "a\nb", "a\n\nb", "a\nb\n", "\na", "a\rb",
         "a\r\nb", "a\vb", "a\fb", "a\x1cb", "a\x85b", "a\u2028b", "a\tb", 'say "x"', "it's", "it's \"x\"", "x" * 70, "y" * 400,
         "OPERATOR_CALL", "my OPERATOR_CALL", "OPERATOR_CALL_2", "operator_call", "OPERATOR CALL", "\ufeffname", "-" * 12]


def piece(rng):
    return rng.choice(rng.choice((ORDINARY, NUMERIC, WHITE, MARKS)))


def allowed(text):
    return "\x1b" not in text and text.strip() != "\x01" and not (text.strip() and all(not c.isascii() and c.isdigit() for c in text))


def nasty(rng):
    """Returns any text: a known trap, or a few pieces joined."""
    if rng.random() < 0.4:
        return rng.choice(WHOLE + TRUTH)
    text = "".join(piece(rng) for _ in range(rng.randint(1, 4)))
    return text if allowed(text) else "a" + text.replace("\x1b", "")


def name(rng, flavour):
    """`flavour` is "ordinary", "numeric", "truth", "nasty" or "mixed"."""
    if flavour == "mixed":
        flavour = rng.choice(("ordinary", "ordinary", "numeric", "truth", "nasty"))
    if flavour == "nasty":
        return nasty(rng)
    return rng.choice({"ordinary": ORDINARY, "numeric": NUMERIC, "truth": TRUTH}[flavour])
