import type { FIELD_OF_KIND } from '../other-names.dto';

type NameField = (typeof FIELD_OF_KIND)[keyof typeof FIELD_OF_KIND];

/** Names of the columns in which suppliers give further names of a raw material, beside the fields' own. */
export const NAME_COLUMN_ALIASES: Readonly<Record<NameField, readonly string[]>> = {
  casNumbers: [
    ...[
      'CAS',
      'CAS No',
      'CAS number',
      'CAS RN',
      'CAS registry number',
      'CAS-Nr',
      'CAS-Nummer',
      'N° CAS',
      'No CAS',
    ],
    ...['Numéro CAS', 'Numero CAS', 'CAS号', 'CAS编号', 'CAS登录号', 'CAS登记号', 'CAS號', 'CAS番号'],
  ],
  ecNumbers: [
    ...[
      'EC',
      'EC No',
      'EC number',
      'EINECS',
      'EINECS No',
      'EINECS number',
      'EINECS/ELINCS',
      'EINECS/ELINCS No',
    ],
    ...[
      'EG-Nr',
      'EG-Nummer',
      'N° CE',
      'Numéro CE',
      'Numero CE',
      'EC号',
      'EC编号',
      'EINECS号',
      'EINECS编号',
      'EC番号',
    ],
  ],
  synonyms: [
    ...['synonym', 'other names', 'also known as', 'Synonyme', 'Synonymes', 'Sinonimi', 'Sinónimos'],
    ...['别名', '别称', '俗名', '又名', '同义词', '其他名称', '別名', '同義詞'],
  ],
  tradeNames: [
    ...['trade name', 'brand name', 'commercial name', 'Handelsname', 'Handelsnamen', 'Nom commercial'],
    ...[
      'Nome commerciale',
      'Nombre comercial',
      '商品名',
      '商品名称',
      '商品名稱',
      '贸易名',
      '贸易名称',
      '商标名',
    ],
  ],
};

/** Cells that say that there is no such name. */
export const NO_NAME = /^(?:[-–—/]+|n[./]?a\.?|none|no|nil|无|無|没有|不适用|なし)$/iu;
