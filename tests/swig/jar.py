"""mtlcap.jar says what it is: to Java by its manifest, to Maven by its POM.

Its sources are beside it.

Usage: jar.py JAVA JAR VERSION
"""

import subprocess
import sys
import zipfile
from xml.etree import ElementTree

FOLDER = "META-INF/maven/dev.mtlcap/mtlcap/"
POM = "{http://maven.apache.org/POM/4.0.0}"


def main():
    java, jar, version = sys.argv[1:]
    with zipfile.ZipFile(jar) as archive:
        manifest = archive.read("META-INF/MANIFEST.MF").decode().splitlines()
        pom = ElementTree.fromstring(archive.read(FOLDER + "pom.xml"))
        properties = archive.read(FOLDER + "pom.properties").decode().split()
        assert archive.read("META-INF/LICENSE")
        classes = {name for name in archive.namelist() if name.endswith(".class") and "$" not in name}
    with zipfile.ZipFile(jar.replace(".jar", "-sources.jar")) as archive:
        sources = {name for name in archive.namelist() if name.endswith(".java")}
    assert len(classes) > 20 and {name.replace(".class", ".java") for name in classes} == sources, sources
    for line in ("Automatic-Module-Name: dev.mtlcap", f"Implementation-Version: {version}"):
        assert line in manifest, manifest
    wanted = {"modelVersion": "4.0.0", "groupId": "dev.mtlcap", "artifactId": "mtlcap",
              "version": version, "packaging": "jar"}
    assert {name: pom.findtext(POM + name) for name in wanted} == wanted
    assert pom.findtext(f"{POM}licenses/{POM}license/{POM}name") == "MIT"
    assert properties == [f"{name}={wanted[name]}" for name in ("groupId", "artifactId", "version")]
    described = subprocess.run([java, "--module-path", jar, "--describe-module", "dev.mtlcap"],
                               check=True, capture_output=True, text=True).stdout
    print(described)
    assert described.startswith("dev.mtlcap") and "contains dev.mtlcap" in described, described


main()
