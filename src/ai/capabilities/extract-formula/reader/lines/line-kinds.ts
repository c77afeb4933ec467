/** What follows a word that names a total or a property of the whole, not an ingredient. */
const VALUE = String.raw`(?=\s*(?:$|[\d:(#=+,，;<>≤≥~%$¥€£]|[值为是]|no\b|nr\b|size\b|name\b|of\b|is\b|[A-H]\b|phase\b))`;
const TOTAL = new RegExp(
  String.raw`^(?:(?:sub-?\s?total|grand total|total|sum)(?!\p{L})|合\s?[计計]|总\s?计|(?:итого|всего|summe|gesamt|somme|totale|suma|razem)(?!\p{L})|总\s?量|总\s?重|共\s?计|小\s?计|总和)${VALUE}`,
  'iu',
);
const PROPERTY = new RegExp(
  String.raw`^(?:(?:ph|viscosity|density|appearance|colou?r|odou?r|stability|batch|lot|date|version|customer|ref\.?|product|project|(?:(?:guideline|starting|frame|sample|test|trial) )?formula(?:tion)?|shelf life|spf|temperature|speed|author|phone|fax|e-?mail|page|seite|seite \d+|charge|rezeptur|ordre|certificate|refractive index|brechungsindex|week|trial|exp(?:eriment)?\.?|test|sample|yield|cost|assay|loss|water activity|figure|table|code|rev\.?|room|active(?: matter| substance)?|actives|moisture|humidity|solids?(?: content)?|purity|recommended (?:dosage|use|level)|dosage|natural (?:origin|content)(?: index)?|biodegrad\p{L}*|shelf|storage|price|total)(?!\p{L})|天然(?:来源|度|指数)|有效物(?:含量)?|活性物(?:含量)?|干燥失重|灼烧残渣|灰分|纯度|成品\s?ph|推荐(?:用量|添加量)|建议(?:用量|添加量)|价格|单价|ph值|粘度|黏度|密度|比重|外观|颜色|菌落(?:总数)?|微生物|耐热|耐寒|离心|重金属|气味|稳定性|批号|批次|批量|日期|版本|客户|编号|产品(?:名称?|编号)?|项目|保质期|规格|净含量|转速|温度|得率|成本|固含量?|水分|页码|箱数|制表|编制|审核|作者|试验|实验|样品(?:编号)?|\p{Script=Han}{0,8}配方)${VALUE}|^\d[\d.,]*\s?% (?:natural|of natural|recycl|vegan|biodegrad|organic (?:origin|content))|^\d[\d.,]*\s?% ?天然来源|^(?:prepared by|tel\b|www\.|http|第.{1,3}页|100(?:[.,]0+)? ?%?$|(?!\d{2,7}-\d{2}-\d(?!\d))\d{4}[.\-/年]\d|observation|观察|from\b|subject\b|发件人|收件人|主题|耐热|耐寒)`,
  'iu',
);
/** Of such a property, and of nothing that makes it so. */
const ADJUSTS = /^ph\s*值?\s*(?:adjust|regul|balanc|buffer|调节|调整|缓冲)/iu;
const PROCEDURE =
  /^(?:anwendung|herstellung|verfahren|conserve[rz]|chauffe[rz]|verse[rz]|refroidir|mélange[rz]|zubereitung|mode op|préparation|procédé|elaboración|preparación|procedimiento|procedimento|preparazione|приготовление|[A-H]\d?(?:[、,和与及]\s*[A-H]\d?)*相?(?:中|里)?(?:分别)?(?:加热|加入|加到|升温|混合|均质|冷却|倒入)|步骤|工艺|制备|制法|操作|方法|procedure\b|process(?:ing)?\b|method\b|manufactur|instructions?|directions?|step\b|notes?\b|remark|备注|注意|注\s*:|说明|将|把|先|全部|混勻|過篩|预(?=分散|混|溶|热)|再|然后|最后|缓慢|慢慢|煮沸|接着|加热|升温|降温|冷却|搅拌|均质|混合(?!硬脂|肉豆蔻|生育|甲酚|果酸|脂肪|植物)|溶解|分散(?![红黄蓝橙紫绿黑棕])|过滤|灌装|出料|检测|调节?\s*ph|用.{0,12}调|heat\b|cool\b|mix\b|stir\b|add\b(?!\p{L})|combine\b|disperse\b(?!\s(?:black|blue|brown|orange|red|violet|yellow))|homogeni[sz]e\b|dissolve\b|pour\b|fill\b(?! powder)|adjust\b|melt\b|slowly\b|when\b|under\b|while\b|then\b|once\b|after\b|keep\b|weigh\b|prepare\b|premix\b(?=\s+\p{L}+\s+\p{L}+\s+\p{L})|emulsify\b|let\b|store\b|wait\b)/iu;
const SIGN_OFF =
  /^(?:best,?$|(?:best|kind|many|with)?\s*(?:regards|wishes|mit freundlichen|viele gr|freundliche|cordialement|saluti|saludos|thanks|thank you|cheers|pozdraw|с уважением|merci|bien à vous|grazie|gracias|obrigad|gruß|grüße|lg\b|sincerely|谢谢|祝好|此致|敬礼|辛苦))/iu;
const GREETING =
  /^(?:(?:hi|hello|hallo|guten|bonjour|ciao|hola|dear|hey)(?!\p{L})|你好|您好|大家好|各位|亲[爱们,，:]|老师|@)/iu;
const SENTENCE_END = /[.!?。!?:~]$/u;
/** Words of people who talk to each other: of no name. */
const TALK =
  /^(?:in|on|at|by|from|of|an)\s|\sby\s\d|\s(?:by|of|in|at|than|after|was|were|until)$|[我你您她们吧呢啊哦]|吗$|请(?!\p{L}*酸)|谢谢|收到|辛苦|有问题|下午|明天|今天|昨天|上次|这版|这个|那个|看看|可以|一下|好的|打样|(?<!\p{L})(?:the|we|you|is|are|should|please|with|this|that|have|users?|consumers?|volunteers?|women|participants?|agreed)(?!\p{L})|用户|志愿者|受试者|消费者/iu;
/** What is done with ingredients, anywhere in a line. */
const WORK =
  /加热|升温|降温|冷却|搅拌|均质|倒入|加入|保温|混匀|溶解后|出料|边加|\b(?:heat|cool|stir|mix(?:ing)?|until|while)\b/iu;
/** Too long for a name without an amount, or a time of day. */
const PROSE = /\p{Script=Han}{16}|\p{Script=Han}{3}[,，]\p{Script=Han}{3}|\d:\d/u;

/** Totals, properties, procedures: known, and no ingredients even where they hold a number. */
export function isKnownOther(text: string): boolean {
  const plain = text.replace(/^(?:\s|[-*•·>([【]|(?:\d{1,2}|[a-z])[.)、](?!\d))+/u, '');
  return TOTAL.test(plain) || (PROPERTY.test(plain) && !ADJUSTS.test(plain)) || PROCEDURE.test(plain);
}

/** Of a total or a property, the number is of the whole. */
export const isOfTheWhole = (text: string): boolean => TOTAL.test(text) || PROPERTY.test(text);

export const isProcedure = (text: string): boolean => PROCEDURE.test(text);

export const isTalk = (text: string): boolean => TALK.test(text);

export const isSignOff = (text: string): boolean => SIGN_OFF.test(text);

/** Whether a line without an amount may name an ingredient, where it stands among such. */
export const mayBeIngredient = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  !isKnownOther(text) &&
  !(SENTENCE_END.test(text) && !/[\s?]\?$/u.test(text)) &&
  !WORK.test(text) &&
  !isTalk(text) &&
  !PROSE.test(text) &&
  !GREETING.test(text) &&
  !isSignOff(text) &&
  text.length <= 60 &&
  text.split(/\s+/u).length <= 7;

/** A letter with a number, a number, or the word before 相. */
const MARK = String.raw`[A-ZА-Я]\d?|\d{1,2}|[IVX]{1,4}`;
const HEADING = new RegExp(
  [
    String.raw`(?:phase|fase|faza|fáze|fázis|фаза|часть|part|partie|parte|teil|stage|stufe|étape|step(?=\s*\d{1,2}\s*:?$)|相|组)\s*[:#-]?\s*(?<first>${MARK})(?![\p{L}\d])(?:\s*相)?`,
    String.raw`(?<letter>${MARK}|[甲乙丙丁戊])\s*(?:相|部分?|组分?|料|剂|phase\b)(?!\p{L})`,
    String.raw`(?<compound>(?:wasser|fett|öl|kalt|heiß|emulsions)phase)(?!\p{L})`,
    String.raw`(?:phase|fase)\s+(?<romance>aqueuse|huileuse|grasse|froide|acuosa|oleosa|grasa|acquosa|grassa|oleosa|aquosa)(?!\p{L})`,
    String.raw`(?<chinese>\p{Script=Han}{1,5}相|(?:后|最后|冷却后)?添加(?=\s*:?$)|后加(?=\s*:?$)|其[他它](?=\s*:$))(?:原料|部分|组分|成分)?(?![\p{Script=Han}])`,
    String.raw`(?<word>[a-z]+(?:[ -][a-z]+)?)\s+phase(?=\s*(?:$|[:([=*#-]))`,
  ].join('|'),
  'iuy',
);
const DECORATION = String.raw`[\s#=*_~<>【】《》\[\]|—–-]`;
const LONGEST_DECORATED = 60;
const DECORATED_LETTER = new RegExp(
  String.raw`^(?:${DECORATION}*[\[【(]?\s*(${MARK})\s*[\])】]?${DECORATION}*:?${DECORATION}*)$`,
  'u',
);

const BEFORE_HEADING = new RegExp(
  `^(?:${DECORATION}|[IVX]{1,4}[.、]\\s?(?=\\p{Script=Han}|[Pp]hase|[Ff]ase)|[一二三四五六七八九十]{1,2}[、.]|[(][一二三四五六七八九十][)])+`,
  'u',
);

export interface Heading {
  readonly phase: string;
  /** What stands behind it in its line. */
  readonly rest: string;
}

/** The phase that a line names, as a heading or before its first ingredient. */
export function headingOf(line: string): Heading | undefined {
  const letter = line.length <= LONGEST_DECORATED ? DECORATED_LETTER.exec(line) : null;
  if (letter && /[A-Z]/u.test(letter[1]!)) return { phase: letter[1]!, rest: '' };
  const text = line.replace(BEFORE_HEADING, '');
  HEADING.lastIndex = 0;
  const match = HEADING.exec(text);
  if (!match) return undefined;
  const { first, letter: before, chinese, word, compound, romance } = match.groups!;
  const phase = first ?? before ?? compound ?? romance ?? chinese ?? word!;
  const rest = text.slice(match[0].length).replace(/^(?:\s*\([^()]*\))?[\s:)\]】*|=#、.—–-]*/u, '');
  return { phase, rest };
}
