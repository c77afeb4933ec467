/*
 * Loaded before a service (`node -r`), it lets its wall clock be set: SIGUSR2 steps an hour forward, then to
 * 50 s behind the truth, then to it. More than a minute behind, tokens end too late to be believed.
 */
'use strict';

const STEPS_MS = [0, 60 * 60 * 1000, -50 * 1000];

const { now } = Date;
let step = 0;
Date.now = () => now() + STEPS_MS[step];

const SteppingDate = new Proxy(Date, {
  construct: (target, parts) => new target(...(parts.length === 0 ? [Date.now()] : parts)),
});
Reflect.set(globalThis, 'Date', SteppingDate);

process.on('SIGUSR2', () => {
  step = (step + 1) % STEPS_MS.length;
});
