#!/bin/sh
# chosen_tests.sh [PREFIX] - prints on one line PREFIX and ROOM/test_NOUN of each unit test that T names: those of a room if T is
# ROOM, one if T is ROOM/NOUN or ROOM/NOUN:PATTERN. For another T, prints similar names, and exits with 2. See make test.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../unit" || exit 1

name=${T-}
name=${name%%:*}
room=${name%%/*}
noun=${name#*/}
usage="make test T=ROOM, T=ROOM/NOUN or T='ROOM/NOUN:PATTERN', as in T='base/text:*hash*'"

refuse() {
    echo "make test: $*" >&2
    exit 2
}

# Prints ROOM/NOUN of all tests.
list() {
    find . -name 'test_*.c' | sed -n 's|^[.]/\([^/]*\)/test_\(.*\)[.]c$|\1/\2|p' | sort
}

# Prints ROOM/NOUN of the tests whose names contain the noun, or are contained in it; otherwise all of the room.
list_similar() {
    list | awk -F / -v room="$room" -v noun="$noun" '
        index($2, noun) || index(noun, $2) { similar = similar " " $0 }
        $1 == room { all = all " " $0 }
        END { print similar == "" ? all : similar }'
}

case ${T-} in
'' | *: | */)
    echo "usage: $usage" >&2
    exit 2
    ;;
esac
rooms=$(list | cut -d / -f 1 | uniq | paste -s -d ' ' -)
case " $rooms " in
*" $room "*) ;;
*)
    similar=$(list | grep -F "/$noun" | paste -s -d ' ' -)
    refuse "there is no room $room:" "${similar:-$rooms}"
    ;;
esac
if [ "${T-}" = "$room" ]; then
    list | sed -n "s|^$room/|${1-}$room/test_|p" | paste -s -d ' ' -
elif [ "$name" = "$room" ]; then
    refuse "a pattern follows one test: $usage"
elif [ -f "$room/test_$noun.c" ]; then
    echo "${1-}$room/test_$noun"
else
    refuse "there is no tests/unit/$room/test_$noun.c:$(list_similar)"
fi
