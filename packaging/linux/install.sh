#!/bin/sh
# Install Memtray for yourself: ./install.sh [FOLDER], by default ~/.local/lib/memtray
# A version that is there already is ended and replaced; memories and settings stay.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
target=${1:-$HOME/.local/lib/memtray}
data=${XDG_DATA_HOME:-$HOME/.local/share}
commands=$HOME/.local/bin
case $target in /*) ;; *) target=$PWD/$target ;; esac

"$here/memtray-worker" --version >/dev/null || {
    echo "The programs in $here do not run here; see above." >&2
    exit 1
}
if [ "$target" != "$here" ]; then
    if [ -e "$target" ] && [ ! -x "$target/memtray-worker" ]; then
        echo "$target is there and is no Memtray: choose another folder, or move it away." >&2
        exit 1
    fi
    mkdir -p "$(dirname "$target")"
    rm -rf "$target.new"
    cp -R "$here" "$target.new"
    if [ -e "$target" ]; then
        "$here/memtray-worker" make-way --programs "$target" --remember "$target.ran"
        rm -rf "$target"
    fi
    mv "$target.new" "$target"
fi

mkdir -p "$commands" "$data/applications" "$data/icons"
for program in memtray memtray-worker memtray-mcp; do
    ln -sfn "$target/$program" "$commands/$program"
done
cp -R "$target/share/icons/." "$data/icons"
# the folder as the menu's file wants it: between quotes, some characters marked
quoted=$(printf '%s' "$target/memtray" | sed 's/["$`]/\\\\&/g; s/%/%%/g')
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec="%s"\n' "$quoted" ;;
        TryExec=*) printf 'TryExec=%s\n' "$target/memtray" ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$target/share/applications/memtray.desktop" >"$data/applications/memtray.desktop"
[ ! -e "$target.ran" ] || "$target/memtray-worker" start-again "$target.ran" || :

echo "Memtray is in $target and in the menu of your desktop."
case :$PATH: in
    *":$commands:"*) echo "Start it there, or by: memtray" ;;
    *) echo "Start it there, or by: $commands/memtray" ;;
esac
