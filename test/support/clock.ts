export { ManualClock } from '../../src/testing/manual-clock';
