import { SecretBox } from './secret-box';

describe('SecretBox', () => {
  const box = new SecretBox('a secret');

  it('gives back what was sealed', () => {
    expect(box.open('alphaKey', box.seal('alphaKey', 'sk-密钥-1'))).toBe('sk-密钥-1');
  });

  it('gives back nothing where nothing was sealed', () => {
    expect(box.open('alphaKey', box.seal('alphaKey', ''))).toBe('');
  });

  it('opens what is stored already', () => {
    const stored = 'v1:eIaTL5wsREVKXaq4S/UExgUk638qOaYeJgcDLYzeXWq6gsu0n6kb';
    expect(box.open('alphaKey', stored)).toBe('sk-密钥-1');
  });

  it('never seals the same text the same way', () => {
    expect(box.seal('alphaKey', 'x')).not.toBe(box.seal('alphaKey', 'x'));
  });

  it('does not show the text', () => {
    const sealed = box.seal('alphaKey', 'sk-plain-text');
    expect(sealed).not.toContain('sk-plain-text');
    expect(Buffer.from(sealed.split(':')[1] ?? '', 'base64').toString('latin1')).not.toContain('sk-plain');
  });

  it('opens nothing with another secret', () => {
    expect(new SecretBox('another').open('alphaKey', box.seal('alphaKey', 'x'))).toBeUndefined();
  });

  it('opens nothing under another name: a base URL cannot be passed off as a key', () => {
    expect(box.open('betaKey', box.seal('alphaKey', 'x'))).toBeUndefined();
  });

  it.each(['', 'v1:', 'v1:AAAA', 'v2:AAAA', 'plain text', 'v1:!!!'])('opens nothing of %j', (stored) => {
    expect(box.open('alphaKey', stored)).toBeUndefined();
  });

  it('opens nothing of another version, though it were sealed alike', () => {
    const sealed = box.seal('alphaKey', 'x');
    expect(sealed).toMatch(/^v1:/);
    expect(box.open('alphaKey', sealed.replace('v1', 'v2'))).toBeUndefined();
  });

  it('notices a changed byte anywhere', () => {
    const bytes = Buffer.from(box.seal('alphaKey', 'secret').slice(3), 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(box.open('alphaKey', `v1:${changed.toString('base64')}`)).toBeUndefined();
    }
  });
});
