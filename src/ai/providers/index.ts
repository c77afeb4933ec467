/*
 * The providers that come with the service; a line here registers one. Each is found under `AI_PROVIDER`, as those of
 * other modules are.
 */
export { AlphaModule } from './alpha/alpha.module';
export { BetaModule } from './beta/beta.module';
export { MockModule } from './mock/mock.module';
