import { setFlagsFromString } from 'node:v8';

/*
 * Imported before everything else by the process's own entries, never by what others import: the flag is the
 * process's. Without it V8 allocates what a request leaves behind as if it were to stay
 * (docs/decisions/0009).
 */
setFlagsFromString('--no-allocation-site-pretenuring');
