const TOTAL = String.raw`(?:grand\s?)?(?:total[ei]?|totaal|sum(?:m[ae]|a)?|somme|gesamt(?:menge|summe|gewicht)?|razem|итого|всего|сумма)(?!\p{L})|check\s?sum(?!\p{L})|Σ|合\s?[计計]|[总總]\s?[计計和量重]|共\s?[计計]|[计計](?!\p{L})`;
const PART = String.raw`(?:sub|zwischen|teil|sous|parti[ae]l)\s?-?\s?(?:total[ei]?|sum(?:m[ae])?|somme)(?!\p{L})|(?:suma częściowa|промежуточный итог)(?!\p{L})|小\s?[计計]`;
const PHASE = String.raw`(?:(?:phase|fase|faza|teil)\s*[a-z]?\d{0,2}(?!\p{L})|[a-z]+[\s-]phase(?!\p{L})|[a-z]\d?\s?相|\p{Script=Han}{1,5}相|[a-h]\d?(?![\p{L}\d]))`;
/** A phase is named before or behind the word: the sum of its lines only. */
const OF_A_PHASE = String.raw`${PHASE}\s*[:：-]?\s*(?:${PART}|${TOTAL})|(?:${TOTAL})\s*(?:of\s*|der\s*|de la\s*)?${PHASE}`;

/** Words for a sub-total, and for any sum, in the languages of formula sheets: regular expressions, flags `iu`. */
export const SUBTOTAL = String.raw`(?:${OF_A_PHASE}|${PART})`;
export const SUM = String.raw`(?:${SUBTOTAL}|${TOTAL})`;
