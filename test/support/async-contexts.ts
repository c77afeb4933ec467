import { stopCarryingContexts } from '../../src/common/async-context';

// A file's hooks would stay for all files after it, and hold on to its modules.
afterAll(stopCarryingContexts);
