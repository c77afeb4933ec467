/** The built-in providers. Each line registers one. They are discovered in the same way as those of other modules. */
export { AlphaModule } from './alpha/alpha.provider';
export { BetaModule } from './beta/beta.provider';
export { MockModule } from './mock/mock.provider';
