export * from './behaviours';
export { FakeProvider } from './fake-provider';
