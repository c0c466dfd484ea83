/** Packages of the Java platform and Android itself, without libraries bundled in apps such as `android.support`. */
const PLATFORM =
  /^(?:javax?|jdk|sun|com\.sun|android(?!\.support\b)|dalvik|libcore|com\.android\.(?:internal|server|org|okhttp)|org\.(?:json|w3c|xml|xmlpull|apache\.harmony))\./;

/** Whether a class belongs to the platform: builds do not rename it and mappings do not contain it. */
export const isPlatformClass = (name: string): boolean => PLATFORM.test(name);
