"""What makes the collected programs an app of macOS: one bundle, without a place in the Dock."""

import re
from pathlib import Path
from typing import Any

IDENTIFIER = "org.memtray.app"
_OLDEST_MACOS = "14.0"  # for which the wheels of Qt and numpy that are packed are made


def info_plist(version: str) -> dict[str, Any]:
    """Return what stands in Info.plist besides what PyInstaller writes."""
    numbers = re.split(r"[^\d.]", version)[0]  # macOS wants nothing else
    return {
        "CFBundleDisplayName": "Memtray",
        "CFBundleShortVersionString": numbers,
        "CFBundleVersion": numbers,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "zh-Hans"],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": _OLDEST_MACOS,
        "LSUIElement": True,  # an icon in the menu bar, none in the Dock
        "LSBackgroundOnly": False,  # PyInstaller writes True where one of the programs is console
        "LSMultipleInstancesProhibited": False,  # our own lock has a second start talk to the first
        "NSHighResolutionCapable": True,
        "NSSupportsAutomaticTermination": False,
        "NSSupportsSuddenTermination": False,
        "NSHumanReadableCopyright": "MIT License",
    }


def bundle(version: str, icon: Path | None) -> dict[str, Any]:
    """Return the arguments of PyInstaller's BUNDLE."""
    return {
        "name": "Memtray.app",
        "icon": str(icon) if icon else None,
        "version": info_plist(version)["CFBundleVersion"],
        "bundle_identifier": IDENTIFIER,
        "info_plist": info_plist(version),
    }
