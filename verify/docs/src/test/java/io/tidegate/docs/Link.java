package io.tidegate.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A link in a page, on the line with this index. */
record Link(Page page, int line, String target) {
    /** Returns what is wrong with the link, if anything is. Links out of the repository are not checked. */
    Optional<String> problem() {
        if (target.matches("[a-z]+:.*")) {
            return Optional.empty();
        }
        String[] fileAndAnchor = target.split("#", 2);
        Path file = fileAndAnchor[0].isEmpty() ? page.file() : page.file().resolveSibling(fileAndAnchor[0]);
        if (!Files.exists(file)) {
            return Optional.of(page.at(line) + ": no file " + target);
        }
        if (fileAndAnchor.length == 2 && !Page.read(file).anchors().contains(fileAndAnchor[1])) {
            return Optional.of(page.at(line) + ": no heading " + target);
        }
        return Optional.empty();
    }
}
