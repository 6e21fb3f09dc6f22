import { defineTexts } from '../../../common/i18n.js';
import de from './de.json';
import en from './en.json';

export const useTexts = defineTexts(en, de);
