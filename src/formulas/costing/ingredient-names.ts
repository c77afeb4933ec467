import type { NamedIngredient } from '../composition/composition';
import type { DocumentLanguage } from '../../documents/document';

export const nameIn = ({ inciName, chineseName }: NamedIngredient, language: DocumentLanguage): string =>
  language === 'zh' ? chineseName : inciName;

/** Both names in one cell, the reader's first. */
export const bothNames = ({ inciName, chineseName }: NamedIngredient, language: DocumentLanguage): string =>
  (language === 'zh' ? [chineseName, inciName] : [inciName, chineseName]).join('\n');
