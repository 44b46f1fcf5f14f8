#!/bin/sh
# Take Memtray away from this Mac: Claude's entries, the start at login, what runs, the app itself.
# Memories stay unless you say otherwise.
set -eu

app=
for place in /Applications/Memtray.app "$HOME/Applications/Memtray.app"; do
    [ -x "$place/Contents/MacOS/memtray-worker" ] && app=$place && break
done
if [ -z "$app" ]; then
    echo "There is no Memtray.app in /Applications or in $HOME/Applications."
    exit 1
fi

printf 'Remove %s? [y/N] ' "$app"
read -r answer
case $answer in [yY]*) ;; *) echo "Nothing was removed."; exit 0 ;; esac

printf 'Delete its search indexes, settings, logs and backups as well? Memories stay. [y/N] '
read -r answer
case $answer in [yY]*) data=--delete-data ;; *) data= ;; esac

# shellcheck disable=SC2086 # no option at all where nothing is to be deleted
if ! "$app/Contents/MacOS/memtray-worker" uninstall-cleanup $data; then
    echo "Not everything could be taken away; see above. The app was left where it is."
    exit 1
fi
if ! rm -rf "$app"; then
    echo "macOS keeps this terminal from removing $app: move it to the Trash."
    exit 1
fi
echo "Memtray was removed."
