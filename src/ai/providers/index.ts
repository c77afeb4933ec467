/**
 * The providers that come with the service: a line registers one. They are found as those of other modules
 * are.
 */
export { AlphaModule } from './alpha/alpha.module';
export { BetaModule } from './beta/beta.module';
export { MockModule } from './mock/mock.module';
