#!/bin/sh
# pythons.sh BUILD COMMAND EXPECTED - on each CPython, installs the wheel of BUILD/dist with pip, runs COMMAND in a copy of doc/tour,
# whose output must begin with the file EXPECTED, and uses the package. A CPython of this machine (PATH, pyenv, uv, the tool cache of
# GitHub's runners) runs in an empty environment; a CPython of Debian's releases is unpacked into BUILD/pythons and runs in a chroot,
# which only root can use. Installing and COMMAND may take 10 seconds of processor time, not of wall time, because the machine may be
# busy. Ends in "pythons: N passed, N failed, N skipped".
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd)
command=$2
expected=$3
roots=$build/pythons
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0
n_skipped=0
tried=' '
most_seconds=10

# skip WHY: counts a skipped test, and prints the reason.
skip() {
    echo "skipped: $1"
    n_skipped=$((n_skipped + 1))
}

wheel=$(find "$build/dist" -name "*_$(uname -m).whl")
pip=$(find "$build/release-venv" -name 'pip-*.whl')

# Runs in the folder $1 with the Python $2; prints the processor time in the form of the shell's times.
cat >"$work/try.sh" <<END
set -e
cd "\$1"
"\$2" -m venv --without-pip new
new/bin/python $(basename "$pip")/pip --disable-pip-version-check install -q --no-index $(basename "$pip")
export PATH="\$1/new/bin:\$PATH"
(
    pip --disable-pip-version-check install -q --no-index $(basename "$wheel")
    (cd tour && $command) >printed
    times >times
)
new/bin/python use_package.py tour
END

# try NAME PYTHON FOLDER SEEN_AS PREFIX...: tests in FOLDER, which the Python sees as SEEN_AS if PREFIX starts it.
try() {
    name=$1
    python=$2
    folder=$3
    seen_as=$4
    shift 4
    rm -rf "$folder"
    mkdir -p "$folder"
    cp -r doc/tour "$folder/tour"
    cp "$wheel" "$pip" "$work/try.sh" tests/release/use_package.py "$folder"
    "$@" sh "$seen_as/try.sh" "$seen_as" "$python" >"$work/log" 2>&1
    status=$?
    # The last line is that of the commands: 0m1.25s 0m0.50s
    seconds=$(sed 's/[ms]/ /g' "$folder/times" 2>/dev/null | awk 'END { printf "%.2f", 60 * ($1 + $3) + $2 + $4 }')
    if [ $status != 0 ] || [ "$(tail -n 1 "$work/log")" != used ]; then
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        tail -n 20 "$work/log" | sed 's/^/    /'
    elif ! head -n "$(wc -l <"$expected")" "$folder/printed" | cmp -s - "$expected"; then
        n_failed=$((n_failed + 1))
        echo "FAILED $name: $command prints"
        sed 's/^/    /' "$folder/printed"
    elif [ "${seconds%.*}" -ge $most_seconds ] || [ "$seconds" = 0.00 ]; then
        n_failed=$((n_failed + 1))
        echo "FAILED $name: installing and the command take $seconds s of processor time, and may take $most_seconds"
    else
        n_passed=$((n_passed + 1))
        echo "    $name: installing and the command take $seconds s of processor time"
    fi
    rm -rf "$folder"
}

# ---- of this machine -----------------------------------------------------------------------------

# Prints the Pythons that may be on this machine, one per line.
candidates() {
    for minor in 10 11 12 13 14 15; do
        command -v "python3.$minor"
        find "$HOME"/.pyenv/versions/3.$minor.*/bin "$HOME"/.local/share/uv/python/cpython-3.$minor*/bin \
            /opt/hostedtoolcache/Python/3.$minor.*/*/bin -name "python3.$minor" 2>/dev/null
    done
}

# Prints the version of a Python that can use the wheel; nothing for others, such as a free-threaded one.
version_of() {
    "$1" -c 'import sys, sysconfig
if sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED"):
    print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null
}

candidates >"$work/candidates"
while read -r found <&3; do
    version=$(version_of "$found") || continue
    case $tried in *" $version "*) continue ;; esac
    [ -n "$version" ] || continue
    tried="$tried$version "
    try "CPython $version in an empty environment" "$found" "$work/t" "$work/t" env -i HOME="$work" PATH=/usr/bin:/bin LC_ALL=C.UTF-8
done 3<"$work/candidates"

# ---- of Debian -----------------------------------------------------------------------------------

# apt_of FOLDER ARGUMENT...: runs apt-get with its state in FOLDER, as on a system without packages.
apt_of() {
    state=$1
    shift
    apt-get -q -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" \
        -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root "$@"
}

# unpack SUITE MINOR: makes BUILD/pythons/SUITE of Debian's packages of python3.MINOR and all that they need.
unpack() {
    [ -x "$roots/$1/usr/bin/python3.$2" ] && return
    state=${roots:?}/$1.apt
    new=$roots/$1.new
    rm -rf "$state" "${roots:?}/$1" "$new"
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$new/tmp" "$new/dev"
    : >"$new/dev/null" # a plain file is enough
    : >"$state/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $1 main" >"$state/sources.list"
    apt_of "$state" update && apt_of "$state" install -y --no-install-recommends --download-only "python3.$2" "python3.$2-venv" dash coreutils || return
    for folder in bin sbin lib lib64; do
        mkdir -p "$new/usr/$folder"
        ln -s "usr/$folder" "$new/$folder"
    done
    for package in "$state"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$new" || return
    done
    [ -e "$new/usr/bin/sh" ] || ln -s dash "$new/usr/bin/sh"
    rm -rf "$state"
    mv "$new" "$roots/$1"
}

for pair in bookworm:11 trixie:13 forky:14 sid:14; do
    suite=${pair%:*}
    minor=${pair#*:}
    case $tried in *" $suite/$minor "*) continue ;; esac
    if [ "$(id -u)" != 0 ]; then
        skip "Python 3.$minor of Debian $suite: only root can use chroot"
    elif ! [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || ! unpack "$suite" "$minor" >"$work/apt.log" 2>&1; then
        skip "Python 3.$minor of Debian $suite cannot be installed: $(tail -n 1 "$work/apt.log" 2>/dev/null)"
    else
        [ "$suite" != forky ] || tried="${tried}sid/14 " # one of the two is enough
        tried="${tried}3.$minor.debian "
        try "CPython 3.$minor in a chroot of Debian $suite" "/usr/bin/python3.$minor" "$roots/$suite/t" /t \
            env -i HOME=/t PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$(command -v chroot)" "$roots/$suite"
    fi
done

# Counts the supported versions that were not found as skipped.
for minor in 10 11 12 13 14; do
    case $tried in *" 3.$minor."*) ;; *) skip "CPython 3.$minor is not on this machine" ;; esac
done
echo "pythons: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
