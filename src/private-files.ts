// Imported before anything else, since imports run before the code of the file that has them: whatever this process,
// its threads and its children make, no other user of the machine may read or write.
process.umask(0o077);
