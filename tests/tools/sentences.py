#!/usr/bin/env python3
"""sentences.py SEED [N] [KIND...] - prints N (40) random sentences of the project's text with file and line, for a reader
who counts those that a native technical editor would rewrite.

KIND: help (options and commands), messages (other strings of src/), comments (src/ and tests/), manuals (man/ and *.md);
all by default. Each kind is drawn with equal probability, and so is each sentence of a kind.
"""
import pathlib
import random
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
TOKENS = re.compile(r'/\*(?P<comment>.*?)\*/|//(?P<line>[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*")|\'(?:[^\'\\]|\\.)*\'|PRI\w+|\S', re.S)
HELP = re.compile(r"src/(api/catalogue|cli/cmd_\w+)\.c$")


def sentences(text):
    """Yields the sentences of a text that have four words or more; a text may span several lines."""
    for sentence in re.split(r"(?<=[.;:!?])\s+(?=[A-Z\[`']|et[ci]_)|\n\s*\n", text):
        sentence = " ".join(sentence.split())
        if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 4:
            yield sentence


def read_c(path, text):
    kind = "help" if HELP.search(path) else "messages"
    parts = None  # adjacent literals are one text
    for token in list(TOKENS.finditer(text)) + [None]:
        line = text.count("\n", 0, token.start()) + 1 if token else 0
        if token and token["string"]:
            parts = parts or (line, [])
            parts[1].append(token["string"][1:-1].replace("\\n", "\n").replace('\\"', '"'))
            continue
        if token and token[0].startswith("PRI"):
            continue
        if parts:
            yield from ((kind, parts[0], sentence) for sentence in sentences("".join(parts[1])))
            parts = None
        if token and (token["comment"] or token["line"]):
            comment = re.sub(r"^\s*\*", "", token["comment"] or token["line"], flags=re.M)
            yield from (("comments", line, sentence) for sentence in sentences(comment))


def read_script(text):
    blocks = re.finditer(r"(?:^[ \t]*#(?!!)[^\n]*\n)+", text, re.M)
    for block in blocks:
        comment = re.sub(r"^\s*#", "", block[0], flags=re.M)
        yield from (("comments", text.count("\n", 0, block.start()) + 1, sentence) for sentence in sentences(comment))


# Macros of mdoc whose words belong to the sentence around them; other macros end it.
INLINE = re.compile(r"Ar|Bq|Cm|Dq|Dv|Em|Er|Ev|Fa|Fl|Fn|Ft|Ic|In|Li|Nm|No|Ns|Op|Pa|Pf|Pq|Ql|Sx|Sy|Va|Vt|Xr")


def words_of_macro(line):
    """Returns the words of a line such as `.Fl -alpha ,` as they are read: "--alpha,"."""
    words, dash = [], ""
    for word in re.findall(r'"(?:[^"])*"|\S+', line[1:]):
        if INLINE.fullmatch(word):
            words.append("etinspect" if line == ".Nm" else "")
            dash = "-" if word == "Fl" else ""
        else:
            words.append(dash + word.strip('"').replace("\\e", "\\"))
            dash = ""
    return re.sub(r"\s+([,.;:)?!])(?=\s|$)", r"\1", re.sub(r"([(])\s+", r"\1", " ".join(word for word in words if word)))


def read_manual(text):
    """Yields the sentences of a page of the manual, or of a file of Markdown, without examples."""
    line, paragraph, is_literal, is_page, section = 1, [], False, text.startswith('.\\"'), ""
    for number, words in enumerate(text.split("\n") + [""], 1):
        section = words[4:] if words.startswith(".Sh ") else section
        if words.startswith("```"):
            is_literal = not is_literal
        else:
            is_literal = words.startswith(".Bd -literal") or is_literal and words != ".Ed"
        if is_page and not is_literal and section not in ("SYNOPSIS", "SEE ALSO") and INLINE.fullmatch(words[1:3]):
            words = words_of_macro(words)
        if not is_literal and words and not re.match(r"\.|[|#`\s]|\* *$", words):
            line = line if paragraph else number
            paragraph.append(re.sub(r"\\f.|\\&", "", words))
            continue
        yield from (("manuals", line, sentence) for sentence in sentences(" ".join(paragraph)))
        paragraph = []


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    chosen, n = random.Random(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    kinds = sys.argv[3:] or ["help", "messages", "comments", "manuals"]
    found = {kind: [] for kind in kinds}
    for path in subprocess.check_output(["git", "-C", str(TOP), "ls-files", "-z"], text=True).split("\0"):
        name, text = path.rsplit("/", 1)[-1], None
        if re.search(r"\.(c|h|hpp|cc|sh|py|mk|[1-9]|md)$|^Makefile$", name) and not re.search(r"_table\.h$|corpus", path):
            text = (TOP / path).read_text(errors="replace")
        if text is None:
            continue
        if re.search(r"\.(c|h|hpp|cc)$", name):
            items = read_c(path, text)
            if not path.startswith("src/"):
                items = (item for item in items if item[0] == "comments")
        else:
            items = read_manual(text) if re.search(r"\.([1-9]|md)$", name) else read_script(text)
        for kind, line, sentence in items:
            if kind in found:
                found[kind].append(f"{path}:{line}: {sentence}")
    for number in range(n):
        print(chosen.choice(found[kinds[number % len(kinds)]]))


main()
