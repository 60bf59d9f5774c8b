import type { Command } from 'commander';
import type { Work } from '../terminal/outcome.ts';
import { backUp, checkOne, printBackups, restore } from './backup-commands.ts';

/** `backup`, `backup list`, `backup check` and `restore`. */
export function addBackupCommands(program: Command, choose: (work: Work) => void): void {
  const backup = program
    .command('backup')
    .description('Write a backup of the database and the stored files, while the service runs or not.')
    .argument('[file]', 'the file, or its folder; by default it is written to REDPEN_BACKUP_URL')
    .option('--with-key', 'with the master key, which reads all secrets in it')
    .option('--no-files', 'without stored files')
    .action((file: string | undefined, options: Parameters<typeof backUp>[2]) =>
      choose({ kind: 'setup', run: (setup) => backUp(setup, file, options) }),
    );
  backup
    .command('list')
    .description('List the backups of REDPEN_BACKUP_URL, newest first.')
    .action(() => choose({ kind: 'setup', run: printBackups }));
  backup
    .command('check')
    .description('Read a whole backup, and check every hash in it.')
    .argument('<backup>', 'a file, a name of REDPEN_BACKUP_URL, or latest')
    .action((wanted: string) => choose({ kind: 'setup', run: (setup) => checkOne(setup, wanted) }));
  program
    .command('restore')
    .description(
      'Restore a backup into an empty database: a new REDPEN_DATA_DIR, or the server of DATABASE_URL. The service must not run.',
    )
    .argument('<backup>', 'a file, a name of REDPEN_BACKUP_URL, or latest')
    .option('--no-files', 'without stored files')
    .action((wanted: string, options: Parameters<typeof restore>[2]) =>
      choose({ kind: 'setup', run: (setup) => restore(setup, wanted, options) }),
    );
}
