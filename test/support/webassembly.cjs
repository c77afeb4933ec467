'use strict';

/*
 * Test processes start many embedded databases and keep none for long: V8's quick compiler for WebAssembly
 * alone costs half as much as compiling what is used often once more for speed.
 */
require('node:v8').setFlagsFromString('--liftoff-only');
