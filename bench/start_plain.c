/* A program that never uses Metal. */
int main(void) {
    return 0;
}
