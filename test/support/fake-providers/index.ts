export * from './behaviours';
export { FakeProvider, REMOTE_PROVIDERS } from './fake-provider';
