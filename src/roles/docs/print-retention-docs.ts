/** Section of docs/running.md about the age at which data is removed. */
export const RETENTION_DOCS = `## Retention

By default, runs with their screenshots, notifications and activities are kept until someone deletes them. The settings \`REDPEN_KEEP_…\` give them an end, in days. A job removes what is older every night at 3:47 UTC; this shows what it would remove, and without \`--dry-run\` removes it at once:

\`\`\`sh
npm run --silent redpen -- prune --dry-run
\`\`\`

With \`REDPEN_KEEP_RUNS=365\`, \`REDPEN_KEEP_SCREENSHOTS=30\` and \`REDPEN_KEEP_NOTIFICATIONS=90\` it prints, for example:

<!-- elsewhere -->
\`\`\`text
KIND           SETTING                    KEPT      ROWS   FILES  MB OF FILES  OLDEST
runs           REDPEN_KEEP_RUNS           365 days  18230  412    61.8         2025-09-02T03:00:11.204Z
screenshots    REDPEN_KEEP_SCREENSHOTS    30 days   9120   9120   1498.0       2026-11-27T03:00:09.871Z
run_logs       REDPEN_KEEP_RUN_LOGS       not set   -      -      -            -
notifications  REDPEN_KEEP_NOTIFICATIONS  90 days   0      0      0.0          -
activities     REDPEN_KEEP_ACTIVITIES     not set   -      -      -            -
events         REDPEN_KEEP_EVENTS         90 days   51077  0      0.0          2026-08-28T17:20:44.018Z
deliveries     REDPEN_KEEP_DELIVERIES     90 days   0      0      0.0          -

Nothing was removed. Without --dry-run, the command removes this.
\`\`\`

\`ROWS\` counts rows of all tables, such as the pages, findings and log lines of a run. With \`--json\` it prints \`{ "dryRun": …, "kinds": [{ "kind", "setting", "keptDays", "rows", "files", "bytes", "oldestAt" }] }\`. **What is removed cannot be restored**, other than from a backup.

| Kind | What is removed | What stays |
|---|---|---|
| \`runs\` | Runs that ended before, with their pages, findings, causes, logs, screenshots and other files; reviews, with all of their runs at once; and findings over all runs that no run has seen or missed since. | Runs in progress. Suggestions and their comments, with what they quote. Findings with a suggestion or a decision, and judgments in the memory: decisions hold for later runs. Usage by month. |
| \`screenshots\` | Files of runs that ended before. The runs then look as if they had no screenshots. | The runs. |
| \`run_logs\` | The log lines of runs that ended before. | The runs. |
| \`notifications\` | Notifications that were made before, read or not, for all recipients. | Threads and comments that they are about. |
| \`activities\` | Activities that were logged before, also immutable ones. | What they are about. |
| \`events\` | Events that were delivered within the service before. | Events on which a part of the service failed, for 90 days, as they are retried. |
| \`deliveries\` | Webhook messages that were made before, with all deliveries; those that are held for a disabled endpoint, too. | |

The id of a removed run, review or file gives \`NOT_FOUND\`, and so do shared links to its report. A later run on the same page has no earlier one to be compared with, and a schedule whose last review is gone shows none. \`analytics/series\` shows nothing for days whose runs are gone.

Rows are removed in short transactions while the service runs; several processes may do so at once. A file leaves the storage after its row, and the stored bytes of its API key fall at once. If files cannot be deleted, the next night tries again. PostgreSQL uses the room of removed rows for new ones; its files do not become smaller.

The job logs one line, \`old data removed\`, with the counts, and \`redpen_pruned_rows_total\` counts the rows. Events of live streams, from which clients resume, are always kept for 24 hours.

`;
