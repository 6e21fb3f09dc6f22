/**
 * The currencies of ISO 4217 and how many decimals each has, frozen here and never taken from Intl: amounts are kept in
 * minor units, and a currency whose digits changed would have everything that is kept in it reinterpreted. Intl follows
 * CLDR, which says what prices look like (HUF, IDR and PKR without decimals) and changes between patches of Node.
 *
 * Codes may be added. A code or its digits, once here, are never changed and never removed, also where ISO retires it.
 */
const TWO_DIGITS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
  COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
  JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
  NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`;
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND';
const FOUR_DIGITS = 'CLF UYW';

const having = (digits: number, codes: string): [code: string, digits: number][] =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => [code, digits]);

/** Decimals by upper-case code. Metals, test codes and baskets that nobody pays in are not among them. */
export const currencyDigits: ReadonlyMap<string, number> = new Map([
  ...having(0, NO_DIGITS),
  ...having(2, TWO_DIGITS),
  ...having(3, THREE_DIGITS),
  ...having(4, FOUR_DIGITS),
]);
