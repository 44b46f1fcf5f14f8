#!/bin/sh
# Take Memtray away: Claude's entries, the start at login, what runs, menu, commands, this folder.
# Memories and settings stay; --delete-data takes indexes, settings, logs and backups as well.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
data=${XDG_DATA_HOME:-$HOME/.local/share}

"$here/memtray-worker" uninstall-cleanup "$@" || {
    echo "Not everything could be taken away; see above. The programs were left in $here." >&2
    exit 1
}
for program in memtray memtray-worker memtray-mcp; do
    link=$HOME/.local/bin/$program
    [ "$(readlink "$link")" != "$here/$program" ] || rm "$link"
done
if grep -qsF "$here/memtray" "$data/applications/memtray.desktop"; then
    rm -f "$data/applications/memtray.desktop" "$data"/icons/hicolor/*/apps/memtray.png
fi
cd /
rm -rf "$here"
echo "Memtray was removed."
