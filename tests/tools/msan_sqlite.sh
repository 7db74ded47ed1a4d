#!/bin/sh
# msan_sqlite.sh DIRECTORY - builds DIRECTORY/libsqlite3.so.0 for programs with MemorySanitizer from the sources of Debian's
# package, since bytes written by an uninstrumented SQLite would look uninitialised. Does nothing if the file exists.
set -eu

to=$(mkdir -p "$1" && cd "$1" && pwd)
[ -e "$to/libsqlite3.so.0" ] && exit 0

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mkdir -p "$to/lists/partial" "$to/source"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" \
    >"$to/sources.list"
from="-o Dir::Etc::sourcelist=$to/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$to/lists"
# shellcheck disable=SC2086
apt-get -q $from update
# shellcheck disable=SC2086
(cd "$to/source" && apt-get -q $from -o APT::Sandbox::User=root --download-only source sqlite3 && tar xf sqlite3_*.orig.tar.*)
cd "$to"/source/sqlite3-*/
./configure --disable-tcl --disable-readline >"$to/configure.log"
make sqlite3.c >"$to/make.log"
# SQLite itself is not tested: all that it reads counts as initialised, and so does all that it writes.
printf '[memory]\nsrc:*sqlite3.c\n' >"$to/ignored"
clang -O1 -g -fPIC -shared -fsanitize=memory -fsanitize-memory-track-origins "-fsanitize-ignorelist=$to/ignored" -DSQLITE_ENABLE_COLUMN_METADATA \
    -DSQLITE_THREADSAFE=1 -Wl,-soname,libsqlite3.so.0 -o "$to/libsqlite3.so.0" sqlite3.c -lpthread -lm
