/** The built-in providers. Each line registers one. They are discovered in the same way as those of other modules. */
export { AlphaModule } from './alpha/alpha.module';
export { BetaModule } from './beta/beta.module';
export { MockModule } from './mock/mock.module';
