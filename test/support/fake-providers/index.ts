export * from './behaviours';
export { FakeProvider, type Received } from './fake-provider';
