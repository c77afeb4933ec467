import { setFlagsFromString } from 'node:v8';

/*
 * Imported first by the entry points of the process, never by other modules, because the flag applies to the
 * process. Without it V8 allocates objects of a request in the old generation (docs/decisions/0009).
 */
setFlagsFromString('--no-allocation-site-pretenuring');
