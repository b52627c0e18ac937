/**
 * The whole site in one schema. What a section shows as text is JSON by field; which image it
 * shows is a row, so that the database itself knows where an image is used.
 */
export const SCHEMA = `
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT ''
  ) STRICT;

  CREATE TABLE section_templates (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    fields TEXT NOT NULL
  ) STRICT;

  CREATE TABLE sections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    template TEXT NOT NULL REFERENCES section_templates,
    position INTEGER NOT NULL,
    content TEXT NOT NULL DEFAULT '{}'
  ) STRICT;

  CREATE TABLE images (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    filename TEXT NOT NULL UNIQUE,
    alt TEXT NOT NULL,
    credit TEXT,
    bytes BLOB NOT NULL DEFAULT x''
  ) STRICT;

  CREATE TABLE section_images (
    section INTEGER NOT NULL REFERENCES sections ON DELETE CASCADE,
    field TEXT NOT NULL,
    image INTEGER NOT NULL REFERENCES images,
    PRIMARY KEY (section, field)
  ) STRICT;

  CREATE TABLE posts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'archived')),
    published TEXT
  ) STRICT;

  CREATE TABLE navigation_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    label TEXT NOT NULL,
    href TEXT NOT NULL,
    position INTEGER NOT NULL,
    visible INTEGER NOT NULL DEFAULT 1
  ) STRICT;

  CREATE TABLE collections (
    slug TEXT PRIMARY KEY,
    name TEXT NOT NULL
  ) STRICT;

  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL REFERENCES collections,
    title TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`
