// Files that this process, its threads and its children create are private to its user. Imported first, because imports
// run before the code of the importing file.
process.umask(0o077);
