import { defineTexts } from '../../common/i18n.js';
import de from './de.json';
import en from './en.json';

export const usePreviewTexts = defineTexts(en, de);
