/** Packages of the Java platform and of Android itself; the libraries of an app, `android.support` among them, are not. */
const PLATFORM =
  /^(?:javax?|jdk|sun|com\.sun|android(?!\.support\b)|dalvik|libcore|com\.android\.(?:internal|server|org|okhttp)|org\.(?:json|w3c|xml|xmlpull|apache\.harmony))\./;

/** Whether a class is the device's own, which no build renames and no mapping names. */
export const isPlatformClass = (name: string): boolean => PLATFORM.test(name);
