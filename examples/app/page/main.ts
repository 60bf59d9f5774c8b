import { showBell } from './bell.ts';
import { offerComments } from './new-thread.ts';
import { showPeople } from './people.ts';
import { showSharedText } from './shared-text.ts';
import { showStatus } from './status.ts';
import { showThreads } from './threads.ts';

showStatus();
showThreads();
offerComments();
showBell();
showPeople();
showSharedText();
