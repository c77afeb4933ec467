import { type AiProvider } from './ai-provider';
import { configurable } from './configurable-providers';

const CONTRACT = ['alphaKey', 'alphaBaseUrl', 'aiMock', 'encryptionKey'];

const placed = (name: unknown, place = 'CompanyModule', role?: AiProvider['role']) => ({
  value: { name, role },
  place,
});
const ours = placed('alpha', 'OurModule', 'default');

const names = (...providers: ReturnType<typeof placed>[]) =>
  configurable([ours, placed('mock', 'OurModule', 'presets'), ...providers], CONTRACT).map(
    ({ name }) => name,
  );

describe('The providers whose key can be stored', () => {
  it('are those that the contract does not name, and that have a model', () => {
    expect(names()).toEqual([]);
    expect(names(placed('gamma'), placed('local_model_2'), placed('other', 'B', 'presets'))).toEqual([
      'gamma',
      'local_model_2',
    ]);
  });

  it.each(['', 'Gamma', 'my-model', '2nd', '__proto__', 'a b', 'gamma\n', `g${'a'.repeat(40)}`, undefined])(
    'cannot be called %j',
    (name) => {
      const refused = `The AI provider "${String(name)}" in CompanyModule needs a name that matches`;
      expect(() => names(placed(name))).toThrow(refused);
    },
  );

  it.each(['cache', 'fallback'])('cannot be called as another source of answers: %s', (name) =>
    expect(() => names(placed(name))).toThrow(/in CompanyModule .*X-AI-Source/),
  );

  it.each(['alpha', 'mock'])('cannot be called as another one, which is told with both modules: %s', (name) =>
    expect(() => names(placed(name))).toThrow(
      `The AI provider "${name}" in CompanyModule has the name of one in OurModule`,
    ),
  );

  it('cannot be called so that a field of theirs is another one of the configuration', () =>
    expect(() => names(placed('encryption'))).toThrow(
      'The AI provider "encryption" in CompanyModule needs the field encryptionKey, which the configuration has already.',
    ));
});
