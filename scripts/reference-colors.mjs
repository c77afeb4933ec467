/**
 * Writes src/platform/database/migrations/baseline/reference-colors.json, the named colours that a migration puts into
 * the database, from the npm packages below (development dependencies: an installed service needs none of
 * them). `--check` compares instead of writing.
 *
 * The file is data of a migration that has run in other people's databases: newer packages mean a new file
 * and a new migration.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { formatHex, parse, converter } from 'culori';
import { colornames } from 'color-name-list/bestof';
import * as FromSimplified from 'opencc-js/cn2t';
import * as OpenCC from 'opencc-js/t2cn';
import { Converter as convertVariants } from 'opencc-js';
import { pinyin } from 'pinyin-pro';

const require = createRequire(import.meta.url);
const TARGET = new URL('../src/platform/database/migrations/baseline/reference-colors.json', import.meta.url);

/**
 * The list mixes traditional, simplified and Japanese forms: both steps are needed, and these characters are
 * in neither dictionary.
 */
const traditionalToSimplified = OpenCC.Converter({ from: 't', to: 'cn' });
const japaneseToSimplified = convertVariants({ from: 'jp', to: 'cn' });
const RARE_FORMS = { 臙脂: '胭脂', 皀: '皂', 蕃茄: '番茄' };
const simplified = (name) =>
  Object.entries(RARE_FORMS).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    japaneseToSimplified(traditionalToSimplified(name)),
  );

/**
 * The list's own form is often neither script; readers of traditional characters type one of these (绿: 綠, 緑).
 */
const traditionalForms = ['t', 'tw', 'hk'].map((to) => FromSimplified.Converter({ from: 'cn', to }));

/**
 * Pinyin comes from the converted name: the list's own romanisation misplaces tone marks (hūi) and misreads
 * some characters. These are the words whose usual dictionary reading is not the one of the colour.
 */
const READINGS = { 藏: 'zàng', 蛤: 'gé', 将校呢: 'jiàng xiào ní', 柿子色: 'shì zǐ sè' };
function reading(name) {
  for (const [word, sound] of Object.entries(READINGS)) {
    const at = name.indexOf(word);
    if (at < 0) continue;
    return [reading(name.slice(0, at)), sound, reading(name.slice(at + word.length))]
      .filter(Boolean)
      .join(' ');
  }
  return name === '' ? '' : pinyin(name);
}

const toLab = converter('lab65');
const rounded = (value) => Number(value.toFixed(4)) + 0;
function color(hex) {
  const normal = formatHex(parse(hex));
  const { l, a, b } = toLab(normal);
  return { hex: normal, lab: [rounded(l), rounded(a), rounded(b)] };
}

const withoutMarks = (text) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').replaceAll('’', "'");

/** Spellings, besides the name itself, under which a colour is found. */
function spellings(name, original, sound) {
  const found = new Set(original ? [original] : []);
  found.add(withoutMarks(name));
  if (sound) {
    for (const traditional of traditionalForms) found.add(traditional(name));
    const toneless = sound
      .normalize('NFD')
      .replace(/[\u0300\u0301\u0304\u030c]/g, '')
      .normalize('NFC');
    found.add(sound.replaceAll(' ', ''));
    for (const text of [toneless, toneless.replaceAll('ü', 'v'), toneless.replaceAll('ü', 'u')]) {
      found.add(text).add(text.replaceAll(' ', ''));
    }
  }
  found.delete(name);
  return [...found];
}

function entry(name, original, sound, hex) {
  const also = spellings(name, original, sound);
  return {
    name,
    ...(original ? { original } : {}),
    ...(sound ? { pinyin: sound } : {}),
    ...color(hex),
    ...(also.length > 0 ? { also } : {}),
  };
}

function origin(name, list, author, licence) {
  const { version, license } = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
  );
  if (license !== licence) throw new Error(`${name} ${version} is under ${license}, expected ${licence}`);
  return { package: name, version, list, author, licence };
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies. THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const chinese = require('chinese-colors').map(({ name, value }) => {
  const modern = simplified(name);
  return entry(modern, modern === name ? null : name, reading(modern), value);
});
const english = colornames.map(({ name, hex }) => entry(name, null, null, hex));

const sources = [
  {
    ...origin('chinese-colors', 'Chinese traditional colours', 'hecodeit', 'ISC'),
    notice: `Copyright hecodeit (https://github.com/hecodeit/chinese-colors). ${ISC}`,
    colors: chinese,
  },
  {
    ...origin('color-name-list', 'Best of names', 'meodai@gmail.com', 'MIT'),
    notice: `Copyright (c) 2017 David Aerne (https://github.com/meodai/color-names). ${MIT}`,
    colors: english,
  },
];
const about =
  'Named colours. hex is sRGB; lab is CIELAB (D65, 2°) computed from it. Written by scripts/reference-colors.mjs.';
// One colour a line: differences stay readable.
const text = `${JSON.stringify({ about, sources }).replaceAll('{"name"', '\n{"name"')}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(TARGET, 'utf8') !== text) {
    console.error('reference-colors.json is not what this script writes from the installed packages');
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
  console.log(`${chinese.length} Chinese and ${english.length} English colour names`);
}
