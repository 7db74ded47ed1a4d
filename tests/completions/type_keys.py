#!/usr/bin/env python3
"""complete.py SHELL COMPLETIONS - prints a real shell's completions of the lines on stdin, which are typed at a terminal.

All completions of the last word are inserted. For each line one is printed: the line as completed by the shell.
"""
import os
import pty
import select
import sys
import time

SECONDS = 240  # after which a shell hangs, also on a busy machine
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
SETUP = {
    "bash": r"""PS1=; PS2=; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'
. {file}
bind '"\C-xa": insert-completions'
_tell() {{ printf 'LINE<%s>\n' "$READLINE_LINE"; }}
bind -x '"\C-xb": _tell'
""",
    "zsh": r"""PS1=; PS2=; unsetopt zle_bracketed_paste prompt_sp prompt_cr beep; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D
zstyle ':completion:*' verbose no
_all() {{ _main_complete; compstate[insert]=all; compstate[list]= }}
zle -C all complete-word _all; bindkey '^Xa' all
_tell() {{ print -r -- "LINE<$BUFFER>" }}; zle -N _tell; bindkey '^Xb' _tell
""",
}


def read_until(terminal, marker, output=b""):
    end = time.monotonic() + SECONDS
    while marker not in output:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit(f"the shell says nothing: {output[-500:]!r}")
        output += os.read(terminal, 65536)
    return output


def main():
    shell, file = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", COLUMNS="1000", LINES="50", INPUTRC="/dev/null")
        os.execvp(START[shell][0], START[shell])
    setup = SETUP[shell].format(file=file, folder=os.path.dirname(file))
    os.write(terminal, b"stty cols 2000 rows 50 -echo\n" + setup.encode() + b"echo READ''Y\n")
    read_until(terminal, b"READY")
    for line in sys.stdin:
        os.write(terminal, b"\x15" + line.rstrip("\n").encode() + b"\x18a\x18b")
        output = read_until(terminal, b"LINE<")
        output = read_until(terminal, b">\r\n", output[output.index(b"LINE<") + 5:])
        print(output.split(b">\r\n")[0].decode(errors="replace").rstrip())
    os.close(terminal)


main()
