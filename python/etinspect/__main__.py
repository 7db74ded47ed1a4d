"""Runs the program: python -m etinspect."""

import os
import sys
import sysconfig


def main():
    program = os.path.join(sysconfig.get_path("scripts"), "etinspect")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
