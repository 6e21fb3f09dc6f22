import { defineTexts } from '../common/i18n.js';
import de from './messages/de.json';
import en from './messages/en.json';

export const useReaderTexts = defineTexts(en, de);
