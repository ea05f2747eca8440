"""Finding rules: by characters, pinyin, initials, English, other names, and by tiles."""
